#pragma once
// Condyle in one include.
#include <condyle/assemble.hpp>
#include <condyle/problem_file.hpp>
#include <condyle/recording.hpp>
#include <condyle/replay.hpp>
#include <condyle/scene.hpp>
#include <condyle/simulator.hpp>
#include <condyle/solver.hpp>
#include <condyle/version.hpp>
